// What the page asks, and what it is answered: the schemas of openapi.json, by the paths of questions.
import type { components } from "answers";

type Schemas = components["schemas"];

export type Board = Schemas["Board"];
export type View = Schemas["View"];
export type Worth = Pick<View, "value"> & { distance?: number | null };

/** The page asks for a view with each position, and for all moves of a graph. */
export type Solved = Omit<Schemas["SolveAnswer"], "answer"> & { answer: View | null };

export type AnswerTo<Path extends string> =
  Path extends "/games" ? Schemas["Registry"]
  : Path extends "/tables" ? Schemas["TableList"]
  : Path extends `/solve/${string}` ? Solved
  : Path extends `/tables/${string}/stats` ? Schemas["TableStats"]
  : Path extends `/tables/${string}/longest` ? Schemas["Samples"]
  : Path extends `/tables/${string}/random` ? Schemas["Sample"]
  : Path extends `/tables/${string}/line?${string}` ? Schemas["Line"]
  : Path extends `/tables/${string}/probe?${string}` ? View
  : Path extends `/tables/${string}` ? Schemas["AboutTable"]
  : never;
