import { parsed } from '../../api/call.ts'

/** The answer of a service with indented JSON; anything else, such as a truncated answer, as it is. */
export function prettyAnswer(text: string): string {
  const value = parsed(text)
  return value === null || typeof value !== 'object' ? text : JSON.stringify(value, null, 2)
}
