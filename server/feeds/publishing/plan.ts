import { TaskError } from '../../background/task.ts'
import { counted } from '../../formats/counted.ts'
import { OUTGOING_TRANSPORTS } from '../transports.ts'
import { changedDocuments } from './changed-document.ts'
import type { Content } from './content.ts'
import { heldObjects, keepCollection, keepEntities, keepItems, stageEntities } from './keep-state.ts'
import { compare, countDifferences, type Difference, heldItems, openStage, type Stage, stageItems } from './stage.ts'
import { raiseVersions, revokeGone } from './versions.ts'
import { type Draft, type Lose, wholeDocument } from './whole-document.ts'

/** Stores what is to be remembered of what goes out, in another transaction of the same connection. */
export type Keep = (stage: Stage) => Promise<void>

/** What a feed sends next. */
export interface Plan {
  /** What is to be written, in the order in which it is applied; none where there is nothing to tell, or where it is a collection that changes. */
  readonly drafts: readonly Draft[]
  /** What became of the pieces since the last time; undefined where they are not compared. */
  readonly differences: Readonly<Record<Difference, number>> | undefined
  readonly keep: Keep
}

/** Works out what a feed sends next, by its strategy; `tell` hears how much of the content has been read. */
export async function planOf(stage: Stage, given: Content, lose: Lose, tell: (share: number) => void): Promise<Plan> {
  const { feed, found } = given
  const shipment = counted(given.shipment, (entities) => tell(Math.min(0.99, entities / Math.max(1, found.count))))
  const content = { ...given, shipment }
  await stageEntities(stage, found)
  if (OUTGOING_TRANSPORTS[feed.transport_type].isCollection) return planOfCollection(stage, content, lose)
  if (feed.update_strategy !== 'REPLACE') return planOfChanges(stage, content, lose)
  return {
    drafts: [await wholeDocument(content, lose)],
    differences: undefined,
    keep: (later) => keepEntities(later, feed.id),
  }
}

async function planOfChanges(stage: Stage, content: Content, lose: Lose): Promise<Plan> {
  const { feed, type, at } = content
  const held = heldItems(feed.id)
  const staged = await stageContent(stage, content, lose)
  await compare(stage, held, staged)
  if (type.feed.hasVersions && feed.update_strategy === 'APPEND')
    await revokeGone(stage, at, await raiseVersions(stage, at, staged), held)
  return {
    drafts: await changedDocuments(stage, content, lose),
    differences: await countDifferences(stage),
    keep: async (later) => {
      await keepItems(later, feed.id)
      await keepEntities(later, feed.id)
    },
  }
}

async function planOfCollection(stage: Stage, content: Content, lose: Lose): Promise<Plan> {
  const { feed, type, at } = content
  if (!type.feed.hasVersions) throw new TaskError('A collection of TAXII holds STIX 2.1 alone.', { isFinal: true })
  const held = heldObjects(feed.id)
  const isReplaced = feed.update_strategy === 'REPLACE'
  const staged = await stageContent(stage, content, lose)
  await compare(stage, held, staged)
  const raised = await raiseVersions(stage, at, staged)
  if (!isReplaced) await revokeGone(stage, at, raised, held)
  return {
    drafts: [],
    differences: await countDifferences(stage),
    keep: async (later) => {
      await keepCollection(later, feed.id, isReplaced)
      await keepEntities(later, feed.id)
    },
  }
}

async function stageContent(stage: Stage, { type, shipment }: Content, lose: Lose): Promise<number> {
  await openStage(stage)
  return stageItems(stage, (await type.feed.items())(shipment, lose))
}
