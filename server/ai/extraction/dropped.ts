import { z } from 'zod'

/** Why something in an answer of the model was left out. */
const DROP_REASONS = [
  'quote not in text',
  'title not in text',
  'unknown type',
  'unknown attack node',
  'attack node not supported by text',
  'unknown observable',
  'too many',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

export const droppedSchema = z.object({
  count: z.int(),
  reasons: z.array(z.object({ reason: z.enum(DROP_REASONS), count: z.int() })),
})

/** Counts what is left out. */
export function dropCounter() {
  const counts = new Map<DropReason, number>()
  return {
    drop: (reason: DropReason, count = 1): undefined => {
      counts.set(reason, (counts.get(reason) ?? 0) + count)
    },
    counted: (): z.output<typeof droppedSchema> => ({
      count: [...counts.values()].reduce((sum, count) => sum + count, 0),
      reasons: [...counts].map(([reason, count]) => ({ reason, count })),
    }),
  }
}

export type DropCounter = ReturnType<typeof dropCounter>
