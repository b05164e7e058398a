// The queue between a turn that pushes and a host that pulls.
import { Channel } from "@callwire/wire";
import { describe, expect, it } from "vitest";

async function drain<T>(channel: Channel<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of channel) items.push(item);
  return items;
}

describe("a channel", () => {
  it("gives everything that was pushed before it closed, in order", async () => {
    const channel = new Channel<number>();
    channel.push(1);
    const reading = drain(channel);
    channel.push(2);
    await Promise.resolve();
    channel.push(3);
    channel.close();
    channel.push(4);
    expect(await reading).toEqual([1, 2, 3]);
  });

  it("wakes a reader that waits", async () => {
    const channel = new Channel<string>();
    const first = channel.next();
    channel.push("late");
    expect(await first).toEqual({ done: false, value: "late" });
    const second = channel.next();
    channel.close();
    expect(await second).toEqual({ done: true, value: undefined });
  });

  it("keeps apart reading and writing that overlap", async () => {
    const channel = new Channel<number>();
    const read: number[] = [];
    const reader = (async () => {
      for await (const item of channel) read.push(item);
    })();
    for (let i = 0; i < 100; i++) {
      channel.push(i);
      if (i % 7 === 0) await Promise.resolve();
    }
    channel.close();
    await reader;
    expect(read).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it("throws what it failed with, after what was pushed before", async () => {
    const channel = new Channel<number>();
    channel.push(1);
    channel.fail(new Error("broken"));
    channel.fail(new Error("too late"));
    expect(await channel.next()).toEqual({ done: false, value: 1 });
    await expect(channel.next()).rejects.toThrow("broken");
    expect(await channel.next()).toEqual({ done: true, value: undefined });
  });

  it("fails a reader that waits, also with undefined", async () => {
    const channel = new Channel<number>();
    const reading = channel.next();
    channel.fail(undefined);
    await expect(reading).rejects.toBe(undefined);
  });

  it("tells once that the reader left early, and takes nothing more", async () => {
    let left = 0;
    const channel = new Channel<number>(() => left++);
    channel.push(1);
    channel.push(2);
    for await (const item of channel) {
      expect(item).toBe(1);
      break;
    }
    channel.push(3);
    expect(left).toBe(1);
    expect(await drain(channel)).toEqual([]);
    await channel.return();
    expect(left).toBe(1);
  });

  it("does not call an end an early leave", async () => {
    let left = 0;
    const channel = new Channel<number>(() => left++);
    channel.close();
    await drain(channel);
    await channel.return();
    expect(left).toBe(0);
  });

  it("costs linear time however far the reader is behind", async () => {
    const cost = async (items: number) => {
      const channel = new Channel<number>();
      const before = process.cpuUsage();
      for (let i = 0; i < items; i++) channel.push(i);
      channel.close();
      expect(await drain(channel)).toHaveLength(items);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    await cost(10_000);
    const small = Math.min(await cost(20_000), await cost(20_000), await cost(20_000));
    // Ten times the work; a queue that shifts its array would need a hundred times.
    expect(await cost(200_000)).toBeLessThan(Math.max(small * 40, 300));
  });
});
