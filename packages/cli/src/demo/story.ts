// The story that the demo's model tells: five calls, one of them failing, one that needs a person.
import type { StoryStep } from "./model-server.ts";

/** What the user asks for. */
export const PROMPT = "Write up the trip, check the budget, and throw the old draft away.";

/** Stands in the folder before the story begins. */
export const DRAFT = { path: "draft.txt", content: "Lisbon?? maybe in May\n" } as const;

const NOTES = `# Lisbon, 12 to 15 May

- Monday: tram 28 up to Graça, sunset at the viewpoint
- Tuesday: Belém, the monastery, and custard tarts on the way
- Wednesday: train to Sintra, home on the last one at 23:10
- Thursday: tile museum, then the airport

Rooms are booked near Rossio; breakfast is included.
`;

const PACKING = `# Packing

1. Good shoes: the city is all hills and smooth stones
2. Rain jacket, the thin one
3. Adapter, charger, train tickets
4. Camera with an empty card
`;

const CALLS = {
  notes: { id: "call_notes", name: "write_file", input: { path: "trip.md", content: NOTES } },
  packing: { id: "call_packing", name: "write_file", input: { path: "packing.md", content: PACKING } },
  count: { id: "call_count", name: "count_words", input: { text: NOTES } },
  budget: { id: "call_budget", name: "read_file", input: { path: "budget.md" } },
  draft: { id: "call_draft", name: "delete_file", input: { path: DRAFT.path } },
} as const;

function words(result: string | undefined): string {
  const count = /"words":(\d+)/u.exec(result ?? "")?.[1];
  return count === undefined ? "" : ` (${count} words)`;
}

/** One step per answer of the model. The last one reads the results, so that it tells the truth about them. */
export const STORY: readonly StoryStep[] = [
  () => ({ text: "I will write the plan and a packing list first.", calls: [CALLS.notes, CALLS.packing] }),
  () => ({ text: "Both are there. Now I count the words and look for the budget.", calls: [CALLS.count, CALLS.budget] }),
  () => ({ text: "There is no budget yet. The old draft can go, if you agree.", calls: [CALLS.draft] }),
  (results) => {
    const deleted = results.get(CALLS.draft.id)?.startsWith("Deleted") === true;
    const draft = deleted ? `${DRAFT.path} is deleted` : `${DRAFT.path} stays, as nobody agreed to delete it`;
    const plan = `trip.md${words(results.get(CALLS.count.id))} and packing.md are written`;
    return { text: `Done: ${plan}; ${draft}. A budget.md is still missing: tell me the amounts and I will write it.` };
  },
];

/** The tool that needs a person, for the words that explain how to answer. */
export const GATED_TOOL = CALLS.draft.name;
