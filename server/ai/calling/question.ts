/** A message to or from a model. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What a model is asked. */
export interface Question {
  readonly messages: readonly Message[]
  /** The form of the answer; absent if it is prose. */
  readonly form?: Form | undefined
  /** The maximum length of the answer, without what a model thinks before. */
  readonly maxTokens: number
  /** Whether a provider that can search the web may do so. */
  readonly usesWeb?: boolean | undefined
}

/** A JSON Schema that the answer must match. Every property is required, and no others are allowed. */
export interface Form {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** A page that a provider says it found on the web. */
export interface WebSource {
  readonly url: string
  readonly title: string
  readonly date: string | null
}

/** How many tokens were used; null where the provider does not say. */
export interface Usage {
  readonly prompt: number | null
  readonly answer: number | null
}

/** Why a model stopped. */
export type StopReason = 'stop' | 'length' | 'refusal'

/** What is known when an answer is complete. */
export interface Ending {
  readonly reason: StopReason
  readonly usage: Usage
  readonly sources: readonly WebSource[]
  /** The messages as they were sent: servers that allow only turns get those of one role as one. */
  readonly messages: readonly Message[]
}

/** Rough: models of all providers count three to four characters of English as one token, and fewer of other languages. */
export const CHARACTERS_PER_TOKEN = 3

/** Counts bytes, because a character of other scripts, which has two or three, is about one token. */
export const tokensIn = (messages: readonly Pick<Message, 'content'>[]): number =>
  messages.reduce((sum, { content }) => sum + Math.ceil(Buffer.byteLength(content) / CHARACTERS_PER_TOKEN) + 8, 0)

/** Reasoning models count their thoughts as a part of the answer, which would otherwise end before it begins. */
const ROOM_FOR_THOUGHTS = 4_000

/** The most tokens that a model may write, with its thoughts. */
export const answerLimit = ({ maxTokens }: Pick<Question, 'maxTokens'>): number => maxTokens + ROOM_FOR_THOUGHTS
