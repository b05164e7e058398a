// A fetch that really fetches, then hands the body on in other pieces: one event at a time, or n bytes at a time.

/** Cuts a whole body into pieces; `event` says that the piece completes an event with data. */
export type Repack = (body: Uint8Array) => readonly { readonly bytes: Uint8Array; readonly event: boolean }[];

export interface RepackingFetch {
  readonly fetch: typeof globalThis.fetch;
  /** How many events with data were handed on so far. */
  eventsSent(): number;
}

export function repackingFetch(repack: Repack): RepackingFetch {
  let sent = 0;
  const repacked = async (...args: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const response = await globalThis.fetch(...args);
    const pieces = repack(new Uint8Array(await response.arrayBuffer()));
    let next = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces[next++];
          if (piece === undefined) return controller.close();
          if (piece.event) sent++;
          controller.enqueue(piece.bytes);
        },
      },
      // Nothing is handed on before it is asked for, so that `eventsSent` names the event that is being read.
      { highWaterMark: 0 },
    );
    return new Response(body, { status: response.status, headers: response.headers });
  };
  return { fetch: repacked, eventsSent: () => sent };
}

/** One block, up to and with its blank line, at a time. */
export const byEvent: Repack = (body) => {
  // latin1 keeps one character per byte.
  const text = Buffer.from(body).toString("latin1");
  const blocks = text.match(/[\s\S]+?(?:\r\n\r\n|\n\n|\r\r|$)/g) ?? [];
  return blocks.map((block) => ({ bytes: Buffer.from(block, "latin1"), event: /^data:/m.test(block) }));
};

/** `size` bytes at a time. */
export function inPieces(size: number): Repack {
  return (body) => {
    const pieces: { bytes: Uint8Array; event: boolean }[] = [];
    for (let at = 0; at < body.length; at += size) pieces.push({ bytes: body.subarray(at, at + size), event: false });
    return pieces;
  };
}
