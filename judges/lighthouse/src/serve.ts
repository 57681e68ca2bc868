// Starts the pages to judge in a process of their own, and prints the URL of each server as JSON.
import { startAtlas } from "@bifocal/example-atlas/start";
import { startLibrary } from "../../../tests/browser/library.ts";

const [library, atlas] = await Promise.all([startLibrary(), startAtlas({ port: 0, database: process.env["ATLAS"] })]);
console.log(JSON.stringify({ library: library.url, atlas: atlas.url }));
