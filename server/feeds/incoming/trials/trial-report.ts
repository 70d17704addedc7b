import { z } from 'zod'

const counts = z.record(z.string(), z.record(z.string(), z.int()))

/** The report of a trial of an incoming feed. */
export const trialReport = z.object({
  incoming_feed: z.int().nullable().describe('The id of the feed; null if it is not stored.'),
  is_whole: z.boolean().describe('Whether everything available was included.'),
  bounds: z.array(z.string()).describe('Why not everything was included.'),
  fault: z.object({ kind: z.string(), message: z.string() }).nullable().describe('Why nothing more could be fetched.'),
  pieces: z.array(
    z.object({
      name: z.string(),
      size: z.int(),
      content_type: z.string().nullable(),
      format: z.string().nullable().describe('The recognised format.'),
      is_known: z.boolean().describe('Whether the same content was fetched before and would not be stored again.'),
      objects: z.int(),
      reason: z.string().nullable().describe('Why it could not be processed.'),
    }),
  ),
  counts: counts.describe('Number of objects by kind and outcome.'),
  types: counts.describe('Number of entities and observables by type.'),
  entities: z.array(
    z.object({
      title: z.string(),
      type: z.string(),
      outcome: z.string(),
      place: z.string(),
      notes: z.array(z.string()),
    }),
  ),
  observables: z.array(
    z.object({ type: z.string(), value: z.string(), is_new: z.boolean().describe('Whether it is new to you.') }),
  ),
  excluded: z.array(
    z.object({
      list: z.string(),
      count: z.int(),
      observables: z.array(z.object({ type: z.string(), value: z.string() })),
    }),
  ),
  losses: z.array(
    z.object({
      piece: z.string(),
      place: z.string(),
      kind: z.string(),
      outcome: z.string(),
      details: z.array(z.string()),
    }),
  ),
  log: z.array(z.string()).describe('The log of the transport.'),
})

export type TrialReport = z.output<typeof trialReport>
