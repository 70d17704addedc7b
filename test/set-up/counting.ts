import { startApp } from '../app.ts'

/** Authentication and audit run statements of their own now and then. They are not counted. */
export const isCounted = (statement: string): boolean => !/\b(tokens|sessions|audit_trail)\b/.test(statement)

/** Counts the statements that some work takes. */
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

/** The application, and a function to count the statements that it runs. */
export async function startCounting() {
  const { count, statementsOf } = makeCounter()
  const corvus = await startApp((statement) => {
    if (isCounted(statement)) count()
  })
  return { ...corvus, statementsOf }
}
