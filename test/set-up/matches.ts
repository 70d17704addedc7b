import assert from 'node:assert/strict'
import { type Kysely, sql } from 'kysely'

/** For each pattern, texts that it matches and texts that it does not. */
export type Matches = Record<string, { readonly matching: readonly string[]; readonly others: readonly string[] }>

/** Asserts that a test in JavaScript matches exactly these texts. */
export function assertMatches(cases: Matches, test: (pattern: string, text: string) => boolean): void {
  for (const [pattern, { matching, others }] of Object.entries(cases)) {
    for (const text of matching) assert.equal(test(pattern, text), true, `'${pattern}' matches '${text}'`)
    for (const text of others) assert.equal(test(pattern, text), false, `'${pattern}' does not match '${text}'`)
  }
}

/** Asserts the same in the database, where `formOf` converts patterns for the operator. */
export async function assertStored(
  db: Kysely<unknown>,
  cases: Matches,
  operator: 'like' | '~',
  formOf: (pattern: string) => string,
): Promise<void> {
  const asked = Object.entries(cases).flatMap(([pattern, { matching, others }]) =>
    [...matching, ...others].map((text) => ({
      pattern,
      text,
      form: formOf(pattern),
      expected: matching.includes(text),
    })),
  )
  const { rows } = await sql<(typeof asked)[number]>`
    select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as i(pattern text, text text, form text, expected boolean)
    where (text ${sql.raw(operator)} form) <> expected`.execute(db)
  assert.deepEqual(rows, [])
}
