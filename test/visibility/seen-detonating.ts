import type { Detonation } from './detonating.ts'
import { contentOf, detailOf } from './holding-ids.ts'
import type { Sight } from './seen-holdings.ts'
import type { Viewer, World } from './world.ts'

/**
 * What a viewer sees of detonations: those that they asked for, and with their reports those under a key of the source of the detonator that
 * they hold. Everybody who may read detonators sees these.
 */
export function seenDetonating(world: World, sight: Sight): { names: string[]; texts: string[] } {
  const { holdings } = world
  const detonations = holdings.detonations.filter(
    (each) => isAskedBy(each, sight.viewer) || isReportSeen(holdings.detonators, sight)(each),
  )
  return {
    names: [...holdings.detonators, ...detonations].map(({ name }) => name),
    texts: [
      ...holdings.detonators.map(({ name }) => `${name}reason`),
      ...detonations.flatMap((each) => [
        ...sampleTexts(world, each),
        `${each.name}reason`,
        `${each.name}vendor`,
        `${each.name}${sight.viewer}reason`,
        `${each.name}${sight.viewer}filename`,
        ...(isReportSeen(holdings.detonators, sight)(each) ? reportTexts(world, each) : []),
      ]),
    ],
  }
}

export const isAskedBy = ({ requesters }: Detonation, viewer: Viewer): boolean =>
  requesters.some(({ person }) => person === viewer)

/** Whether the report of a detonation is under a key that is allowed. */
export const isReportSeen =
  (detonators: World['holdings']['detonators'], { allows }: Pick<Sight, 'allows'>) =>
  ({ detonator, colour, state }: Detonation): boolean => {
    const source = detonators.find(({ name }) => name === detonator)?.source
    return state === 'FINISHED' && source !== undefined && allows(source, colour)
  }

/** The name of the row with the report as an attachment. */
export const reportOf = (detonation: string): string => `report of ${detonation}`

/** What was submitted is not secret for those who see the detonation: its hashes, or the address. */
const sampleTexts = ({ attachments }: World, { name, sample: { of } }: Detonation): string[] => [
  `${name}address`,
  contentOf(name),
  ...(of === null ? [] : [of, contentOf(of)]),
  ...attachments.flatMap((each) => (each.name === of ? each.content : [])),
]

const reportTexts = ({ attachments }: World, { name, report }: Detonation): string[] => [
  detailOf(name),
  `${name}name`,
  `${name}report`,
  ...attachments.flatMap((each) => (each.name === report ? each.content : [])),
]
