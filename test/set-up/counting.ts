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
    // The caller is looked up and recorded from time to time, in addition to the statements of the request.
    if (!/\b(tokens|sessions|audit_trail)\b/.test(statement)) count()
  })
  return { ...corvus, statementsOf }
}
