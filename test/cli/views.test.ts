// The views, fed with events at given times: what a person sees on the screen, and what a pipe receives.
import type { TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import type { Output } from "../../packages/cli/src/output.ts";
import { LiveView } from "../../packages/cli/src/views/live.ts";
import { PlainView } from "../../packages/cli/src/views/plain.ts";
import { EventWriter } from "./events.ts";
import { Screen } from "./screen.ts";

const size = { columns: 60, rows: 12 };

class FakeOutput implements Output {
  readonly terminal = true;
  readonly live = true;
  readonly colors = false;
  written = "";
  writes = 0;
  screen = new Screen(size.columns);
  now = { ...size };
  #resized = () => {};

  write(text: string): void {
    this.written += text;
    this.writes++;
    this.screen.write(text);
  }

  size() {
    return this.now;
  }

  onResize(listener: () => void) {
    this.#resized = listener;
    return () => {
      this.#resized = () => {};
    };
  }

  onClosed() {
    return () => {};
  }

  resize(columns: number) {
    this.now = { ...this.now, columns };
    this.#resized();
  }
}

interface Stage {
  readonly out: FakeOutput;
  readonly view: LiveView;
  /** Draws the picture of this moment, as the timer would. */
  readonly at: (now: number) => string;
}

function live(): Stage {
  const out = new FakeOutput();
  let now = 0;
  let tick = () => {};
  const ticker = (draw: () => void) => {
    tick = draw;
    return () => {
      tick = () => {};
    };
  };
  const at = (moment: number) => {
    now = moment;
    tick();
    return out.screen.text();
  };
  return { out, view: new LiveView(out, () => now, ticker), at };
}

const input = { path: "a.txt" };
const feed = (view: { event(event: TurnEvent): void }, ...events: TurnEvent[]) => {
  for (const event of events) view.event(event);
};

describe("the live view", () => {
  it("redraws a card in place through its whole life, below the text", () => {
    const { out, view, at } = live();
    const write = new EventWriter();
    feed(view, write.start(0));
    expect(at(1_500)).toBe("… waiting for the model  1.5s\n");
    expect(out.screen.cursor).toBe(false);
    feed(
      view,
      write.text(1_600, "I will "),
      write.text(1_700, "look."),
      write.call(2_000, "read_file", { status: "preparing", toolCallId: "c1" }),
    );
    expect(at(2_500)).toBe("I will look.\n  ◌ preparing   read_file  c1  0.5s\n");
    expect(at(3_100)).toBe("I will look.\n  ◌ preparing   read_file  c1  1.1s\n");
    feed(view, write.answer(3_200, "I will look."));
    feed(view, write.call(3_200, "read_file", { status: "pending", toolCallId: "c1", input, preparedAt: 2_000 }));
    feed(view, write.call(3_200, "read_file", { status: "running", toolCallId: "c1" }), write.progress(3_300, "c1", 50, "half"));
    expect(at(4_000)).toBe('I will look.\n  ● running     read_file  path: "a.txt"  2.0s\n    └ 50%  half\n');
    feed(view, write.call(4_500, "read_file", { status: "completed", toolCallId: "c1", result: "text" }), write.results(4_500));
    feed(view, write.answer(5_000, "Done."), write.end(5_000));
    expect(out.screen.text()).toBe('I will look.\n  ✓ completed   read_file  path: "a.txt"  2.5s\n    └ text\n\nDone.\n');
    expect(out.screen.cursor).toBe(true);
  });

  it("takes live text back with its attempt, and leaves the discarded cards as lines", () => {
    const { out, view, at } = live();
    const write = new EventWriter();
    feed(view, write.start(0), write.text(10, "Wrong"), write.call(20, "f", { status: "preparing", toolCallId: "c1" }));
    expect(at(100)).toContain("Wrong\n");
    feed(view, write.call(200, "f", { status: "discarded", toolCallId: "c1", reason: "retry" }), write.withdraw(200));
    expect(at(250)).not.toContain("Wrong");
    feed(view, write.text(300, "Right"), write.answer(400, "Right"), write.end(400));
    expect(out.screen.text()).toBe("  – discarded   f  0.2s\n    └ retry\n\nRight\n");
  });

  it("shows a question until it is taken away", () => {
    const { out, view, at } = live();
    const write = new EventWriter();
    feed(view, write.start(0), write.call(1, "rm", { status: "pending", toolCallId: "c1", input, needsApproval: true }));
    feed(view, write.call(1, "rm", { status: "running", toolCallId: "c1" }), write.ask(1, "c1", "rm", input));
    view.question({ approvalId: "a", toolCallId: "c1", name: "rm", input });
    expect(out.screen.text()).toContain("? Allow rm?\n    path: a.txt\n  [y] allow   [n] deny");
    view.question(undefined);
    expect(at(50)).not.toContain("Allow");
    view.close();
  });

  it("lets long text scroll up while it streams, and shows the whole of it once", () => {
    const { out, view, at } = live();
    const write = new EventWriter();
    const text = Array.from(
      { length: 40 },
      (_, line) => `${line === 20 ? "" : `line ${line} with 日本語 and  words that wrap`}`,
    ).join("\n");
    feed(view, write.start(0));
    for (let from = 0; from < text.length; from += 7) {
      feed(view, write.text(from, text.slice(from, from + 7)));
      at(from);
      // Of a screen of 12 rows, four are redrawn.
      expect(out.written.split("\u001b[").every((part) => !/^\d+A/u.test(part) || Number.parseInt(part, 10) <= 4)).toBe(true);
    }
    feed(view, write.answer(1_000, `${text}\n`), write.end(1_000));
    expect(out.screen.text()).toBe(`${text}\n`);
  });

  it("says so when it takes back text that has scrolled up", () => {
    const { out, view, at } = live();
    const write = new EventWriter();
    feed(view, write.start(0), write.text(1, "a\nb\nc\nd\ne\nf"));
    at(10);
    feed(view, write.withdraw(20), write.text(30, "Right"), write.answer(40, "Right"), write.end(40));
    expect(out.screen.text()).toBe("a\nb\n(The text above is withdrawn: retry.)\nRight\n");
  });

  it("shows text that never streamed, and never more rows than the screen has", () => {
    const { out, view, at } = live();
    const write = new EventWriter();
    feed(view, write.start(0));
    for (let n = 0; n < 20; n++) feed(view, write.call(1, `tool_${n}`, { status: "pending", toolCallId: `c${n}`, input }));
    expect(at(10).trimEnd().split("\n").length).toBe(11);
    feed(view, write.end(20));
    expect(out.screen.text().match(/! interrupted tool_\d+/gu)?.length).toBe(20);
    feed(view, write.answer(30, "At once."));
    expect(out.screen.text()).toContain("At once.");
    view.close();
  });

  it("erases rows that a narrower terminal wrapped", () => {
    const { out, view, at } = live();
    const write = new EventWriter();
    feed(
      view,
      write.start(0),
      write.call(0, "write_file", { status: "pending", toolCallId: "c1", input: { path: "long/path/of/a/file" } }),
    );
    at(100);
    out.written = "";
    out.resize(30);
    // One line of 53 columns has become two rows of 30.
    expect(out.written.startsWith("\u001b[2A\r\u001b[J")).toBe(true);
    view.close();
  });

  it("writes nothing when nothing changed", () => {
    const { out, view, at } = live();
    const write = new EventWriter();
    feed(view, write.start(0), write.text(1, "still"));
    at(10);
    const { writes } = out;
    at(20);
    at(30);
    expect(out.writes).toBe(writes);
    view.close();
  });

  it("gives the cursor back when the turn does not end", () => {
    const { out, view } = live();
    feed(view, new EventWriter().start(0));
    const { listeners } = { listeners: process.listenerCount("exit") };
    view.close();
    view.close();
    expect(out.screen.cursor).toBe(true);
    expect(process.listenerCount("exit")).toBe(listeners - 1);
  });
});

describe("the plain view", () => {
  it("writes text line by line and before the card that follows it", () => {
    const out = new FakeOutput();
    const view = new PlainView(out, out);
    const write = new EventWriter();
    feed(view, write.start(0), write.text(1, "One\nTw"));
    expect(out.written).toBe("One\n");
    feed(view, write.text(2, "o"), write.call(3, "f", { status: "preparing", toolCallId: "c1" }));
    feed(view, write.call(9, "f", { status: "preparing", toolCallId: "c1" }));
    expect(out.written).toBe("One\nTwo\n◌ preparing   f  c1  0.0s\n");
  });

  it("has no line for progress", () => {
    const out = new FakeOutput();
    const view = new PlainView(out, out);
    const write = new EventWriter();
    feed(
      view,
      write.call(1, "f", { status: "pending", toolCallId: "c1", input }),
      write.call(2, "f", { status: "running", toolCallId: "c1" }),
    );
    const { written } = out;
    feed(view, write.progress(3, "c1", 10, "more"), write.progress(4, "c1", 20, "and more"));
    expect(out.written).toBe(written);
  });

  it("says that text which it cannot take back is withdrawn, and never writes the rest", () => {
    const out = new FakeOutput();
    const view = new PlainView(out, out);
    const write = new EventWriter();
    feed(
      view,
      write.start(0),
      write.text(1, "Wrong\nand unfinished"),
      write.withdraw(2),
      write.text(3, "Right"),
      write.answer(4, "Right"),
    );
    feed(view, write.end(5, "max-rounds"));
    expect(out.written).toBe(
      "Wrong\n(The text above is withdrawn: retry.)\nRight\nThe turn ended: the limit of model answers is reached.\n",
    );
  });
});
