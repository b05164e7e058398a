// What the command says about itself.

export const HELP = `callwire: agent turns whose every tool call has one life on the wire

Usage
  callwire demo [--yes | --no] [--json]      play a turn with real tools; no key, no network
  callwire chat [question] [flags]           talk to a model; without a question: a conversation
  callwire --help | --version

callwire <command> --help tells more.
`;

export const DEMO_HELP = `callwire demo: one agent turn, its tool calls drawn as they live

A model server on this machine plays a written story; the tools are real and work in a temporary folder that is removed
at the end. One call needs your approval: on a terminal you are asked, otherwise it is refused unless a flag answers.

Flags
  --yes       allow the call that needs approval
  --no        deny it
  --json      print the turn's events, one JSON object a line, and nothing else
  -h, --help  show this

Exit codes: 0 the turn ended, 1 it failed, 2 wrong usage, 130 interrupted with Ctrl-C.
`;

export const CHAT_HELP = `callwire chat: a conversation with a model that has a few safe tools

  callwire chat                       a conversation; /reset forgets it, /exit or Ctrl-D leaves, Ctrl-C stops a turn
  callwire chat "question"            one turn
  git diff | callwire chat            one turn; the question is read from the pipe
  git diff | callwire chat review -   one turn; the dash stands for what is piped in

Flags
  --model NAME        the model to use (default: OPENAI_MODEL, else the server's first, else OpenAI's default)
  -i, --interactive   a conversation even from a pipe: each line is one prompt
  --yes, --no         answer every approval question alike; without a terminal and without a flag all are refused
  --json              print the turns' events, one JSON object a line, and nothing else
  -h, --help          show this

Environment: OPENAI_API_KEY, OPENAI_BASE_URL (Ollama, vLLM, llama.cpp, LM Studio, ...), OPENAI_MODEL.
Tools: current_time; read_file, list_files, write_file for the current folder only. write_file, and reading a hidden
file, need your approval.

Exit codes: 0 done, 1 a turn failed, 2 wrong usage or no model set, 130 interrupted with Ctrl-C.
`;
