import type { CallFault } from './call-error.ts'

/** How strictly the form of an answer is asked for. Some servers support only the weaker ways. */
const STRICTNESS = ['schema', 'json', 'words'] as const
type Strictness = (typeof STRICTNESS)[number]

/** How a model is asked, as far as servers differ in what they accept. */
export interface Manner {
  readonly strictness: Strictness
  /** Whether the number of tokens is asked for, which some servers otherwise leave out. */
  readonly asksUsage: boolean
  /** Whether several messages of one role follow each other. The templates of some models allow only turns. */
  readonly separatesMessages: boolean
  /** Answers with less variation are easier to check, but some models refuse to be told. */
  readonly hasTemperature: boolean
  /** Whether the model is told not to think. Only some servers can pass that on. */
  readonly forbidsThoughts: boolean
  /** The name of the limit of an answer. */
  readonly limitName: 'max_tokens' | 'max_completion_tokens'
  /** Whether the limit leaves room for thoughts, which small contexts do not have. */
  readonly leavesRoom: boolean
}

/** The next best manner for a server that refused this one; undefined if it could not help. */
export function concede(manner: Manner, fault: CallFault, hasForm: boolean): Manner | undefined {
  const weaker = STRICTNESS[STRICTNESS.indexOf(manner.strictness) + 1]
  const { asksUsage, separatesMessages, hasTemperature, forbidsThoughts, limitName, leavesRoom } = manner
  // Not every server says that it is the form that it refuses.
  if ((fault === 'form' || fault === 'refused') && hasForm && weaker) return { ...manner, strictness: weaker }
  if (fault === 'usage' && asksUsage) return { ...manner, asksUsage: false }
  if (fault === 'roles' && separatesMessages) return { ...manner, separatesMessages: false }
  if (fault === 'temperature' && hasTemperature) return { ...manner, hasTemperature: false }
  if (fault === 'thoughts' && forbidsThoughts) return { ...manner, forbidsThoughts: false }
  if (fault === 'limit-name' && limitName === 'max_tokens') return { ...manner, limitName: 'max_completion_tokens' }
  if (fault === 'too-long' && leavesRoom) return { ...manner, leavesRoom: false }
  return undefined
}
