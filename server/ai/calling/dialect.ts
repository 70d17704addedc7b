import type { Manner } from './manner.ts'
import type { Ending, Question } from './question.ts'

/** A piece of an answer, and what is known at its end. */
export type Said = { readonly text: string } | { readonly ending: Omit<Ending, 'messages'> }

/** A format in which providers are asked. */
export interface Dialect {
  readonly chatPath: string
  readonly embedPath: string
  readonly listPath: string
  /** The manner in which a server is asked first. */
  readonly manner: Manner
  /** The address to which the paths are appended, if it is not the one that an administrator enters. */
  rootOf?(url: string): string
  chatBody(model: string, question: Question, manner: Manner): object
  /** Reads an answer: a stream, or a whole document of servers that do not stream. Fails with a `CallError`. */
  readChat(body: AsyncIterable<Buffer>, question: Question): AsyncGenerator<Said>
  embedBody(model: string, texts: readonly string[]): object
  /** The vectors in a response, in the order of the texts; undefined if it has none. */
  readVectors(response: unknown): readonly (readonly number[])[] | undefined
  /** Models that exist although the provider does not list them. */
  readonly unlisted?: readonly string[]
}
