import { z } from 'zod'

const counts = z.record(z.string(), z.record(z.string(), z.int()))

/** What a trial of an incoming feed found. */
export const trialReport = z.object({
  incoming_feed: z.int().nullable().describe('The id of the feed; null where it was not stored.'),
  is_whole: z.boolean().describe('Whether all there is was looked at.'),
  bounds: z.array(z.string()).describe('Why not all was looked at.'),
  fault: z.object({ kind: z.string(), message: z.string() }).nullable().describe('Why nothing more could be fetched.'),
  pieces: z.array(
    z.object({
      name: z.string(),
      size: z.int(),
      content_type: z.string().nullable(),
      format: z.string().nullable().describe('What it was recognised as.'),
      is_known: z.boolean().describe('Whether the same content was brought before: it would not be stored again.'),
      objects: z.int(),
      reason: z.string().nullable().describe('Why it could not be processed.'),
    }),
  ),
  counts: counts.describe('How many objects of each kind would come to which end.'),
  types: counts.describe('How many entities, and observables, of each type there are.'),
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
  log: z.array(z.string()).describe('What the transport said.'),
})

export type TrialReport = z.output<typeof trialReport>
