import { startApp } from '../app.ts'

/** Counts statements, and tells how many of them a piece of work takes. */
export function makeCounter() {
  let statements = 0
  const count = (): void => {
    statements++
  }
  const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
    statements = 0
    await work()
    return statements
  }
  return { count, statementsOf }
}

/** The application, and a way to count the statements that it runs. */
export async function startCounting() {
  const { count, statementsOf } = makeCounter()
  const corvus = await startApp((statement) => {
    // Who is calling is looked up now and then, and noted now and then, beside the request.
    if (!/\b(tokens|sessions|audit_trail)\b/.test(statement)) count()
  })
  return { ...corvus, statementsOf }
}
