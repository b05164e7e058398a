#!/usr/bin/env node
// The `callwire` command. Sets the exit code instead of exiting, so that everything written arrives.
import { runCli } from "./cli.ts";
import { processHost } from "./host.ts";

process.exitCode = await runCli(process.argv.slice(2), processHost());
