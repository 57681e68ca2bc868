import { describe, expect, test } from "vitest";
import { align } from "../client/lens/align.ts";
import { boundsOf, withBounds } from "../client/lens/bounds-params.ts";
import { matchingPoints } from "../client/lens/matching-points.ts";
import { joinLines, printRequest, readRequest } from "../client/lens/request-text.ts";
import { toLat, toLng, toX, toY } from "../client/map/mercator.ts";
import { boundsOfView, viewOf, worldView, zoomed } from "../client/map/view.ts";

const SIZE = { width: 800, height: 500 };

describe("the text of a REST request", () => {
  test.each([
    "GET /cities",
    "GET /cities?filter[name]=Paris&filter[countryCode][ne]=FR&count=true",
    "GET /countries/CH?fields=name",
    'POST /notes\n\n{\n  "cityId": 1,\n  "text": "a=b&c ?d"\n}',
  ])("is the same after it was printed on several lines: %s", (text) => {
    const printed = printRequest(readRequest(text));
    expect(joinLines(printed)).toBe(text);
    expect(readRequest(printed)).toEqual(readRequest(text));
  });

  test("contains an area once, before the other parameters", () => {
    const area = { south: 1.23, north: 4, west: -5, east: 6.789 };
    const request = withBounds(withBounds(readRequest("GET /cities?sort=name"), area, 3), area, 1);
    expect(printRequest(request).replaceAll("\n  ", "")).toBe(
      "GET /cities?filter[lat][between]=1.2&filter[lat][between]=4.0&filter[lng][between]=-5.0&filter[lng][between]=6.8&sort=name",
    );
    expect(boundsOf(request)).toEqual({ south: 1.2, north: 4, west: -5, east: 6.8 });
    expect(boundsOf(readRequest("GET /cities?filter[lat][between]=1&filter[lat][between]=2"))).toBeUndefined();
    expect(boundsOf({ ...request, path: "/countries" })).toBeUndefined();
  });

  test.each([
    ["GET /cities?sort=name", undefined],
    ["GET /cities?filter[lat][between]=1&filter[lat][between]=2", undefined],
    ["GET /cities?filter[name]=Paris&sort=name", "/cities?filter[name]=Paris&fields=lat,lng"],
    ["GET /countries?filter[region]=Asia&count=true", "/cities?filter[country][region]=Asia&fields=lat,lng"],
    ["GET /countries/CH/cities", "/cities?filter[countryCode]=CH&fields=lat,lng"],
    ["GET /notes?filter[cityId]=1", undefined],
    ["POST /notes", undefined],
  ])("has these matching points: %s", (text, url) => {
    expect(matchingPoints(readRequest(text))).toBe(url);
  });
});

describe("aligned responses", () => {
  test("have equal rows on the same lines", () => {
    const { rest, graphql, rows, equalRows } = align([{ id: 1, notes: [{ text: "a" }] }, { id: 2 }], {
      data: { cities: { nodes: [{ id: "1", notes: { nodes: [{ text: "a" }] } }, { id: "3" }], totalCount: 2 } },
    });
    expect([rows, equalRows]).toEqual([2, 1]);
    expect(rest).toEqual(["", "", "", "[", '  { "id": 1, "notes": [{ "text": "a" }] },', '  { "id": 2 }', "]"]);
    expect(graphql.slice(4, 6)).toEqual([
      '        { "id": "1", "notes": { "nodes": [{ "text": "a" }] } },',
      '        { "id": "3" }',
    ]);
    expect(JSON.parse(graphql.join(""))).toMatchObject({ data: { cities: { totalCount: 2 } } });
  });

  test("count a field as equal that REST leaves out and GraphQL returns as null", () => {
    const errors = [{ message: "You are not allowed to read 'by'.", path: ["note", "by"] }];
    const { graphql, equalRows } = align({ id: 7 }, { data: { note: { id: "7", by: null } }, errors });
    expect(equalRows).toBe(1);
    expect(JSON.parse(graphql.join(""))).toEqual({ data: { note: { id: "7", by: null } }, errors });
  });

  test("have no rows if the request failed", () => {
    const problem = { status: 400, code: "BAD_REQUEST", detail: "No." };
    const { rest, graphql, rows } = align(problem, { errors: [{ message: "No." }] });
    expect(rows).toBe(0);
    expect([JSON.parse(rest.join("")), JSON.parse(graphql.join(""))]).toEqual([
      problem,
      { errors: [{ message: "No." }] },
    ]);
  });
});

describe("the map", () => {
  test.each([
    [0, 0],
    [64.15, -21.95],
    [-54.8, -68.3],
  ])("projects %d, %d and back", (lat, lng) => {
    expect(toLat(toY(lat))).toBeCloseTo(lat, 9);
    expect(toLng(toX(lng))).toBeCloseTo(lng, 9);
  });

  test("shows an area completely, and keeps the place below the pointer when it zooms", () => {
    const area = { south: 45, north: 48, west: 5, east: 11 };
    const view = viewOf(area, SIZE);
    const shown = boundsOfView(view, SIZE);
    expect(shown.south <= 45.001 && shown.north >= 47.999 && shown.west <= 5.001 && shown.east >= 10.999).toBe(true);
    const corner = boundsOfView(zoomed(view, SIZE, 3, [0, 0]), SIZE);
    expect([corner.north, corner.west]).toEqual([expect.closeTo(shown.north, 6), expect.closeTo(shown.west, 6)]);
  });

  test("stays within the world", () => {
    const out = zoomed(worldView(SIZE), SIZE, 0.01, [10, 10]);
    const { west, east } = boundsOfView(out, SIZE);
    expect([west, east]).toEqual([expect.closeTo(-180, 6), expect.closeTo(180, 6)]);
  });
});
