import fc from 'fast-check'

// Once an object has a property that is named by a lone backslash, the JSON parser of V8 13.6 takes every name of one escaped
// character in its place for it. So backslashes come with a letter.
const unit = fc.string({ minLength: 1, maxLength: 1 }).map((character) => (character === '\\' ? '\\x' : character))

/** Any JSON, as a parser gives it. */
export const anyJson = (maxDepth: number): fc.Arbitrary<unknown> =>
  fc.jsonValue({ maxDepth, stringUnit: unit }).map((value): unknown => JSON.parse(JSON.stringify(value)))
