import { TaskError } from '../../background/task.ts'
import { counted } from '../../formats/counted.ts'
import { OUTGOING_TRANSPORTS } from '../transports/transports.ts'
import { changedDocuments } from './changed-document.ts'
import type { Content } from './content.ts'
import { heldObjects, keepCollection, keepEntities, keepItems, stageEntities } from './keep-state.ts'
import { compare, countDifferences, type Difference, heldItems, openStage, type Stage, stageItems } from './stage.ts'
import { raiseVersions, revokeGone } from './versions.ts'
import { type Lose, type PendingDocument, wholeDocument } from './whole-document.ts'

/** Stores the state after sending, in another transaction of the same connection. */
export type Keep = (stage: Stage) => Promise<void>

/** What a feed sends next. */
export interface Plan {
  /** The documents to write, in the order to apply them; none if nothing changed or the feed is a collection. */
  readonly documents: readonly PendingDocument[]
  /** The number of differences since the last run; undefined if items are not compared. */
  readonly differences: Readonly<Record<Difference, number>> | undefined
  readonly keep: Keep
}

/** Plans what a feed sends next, by its strategy; `progress` is called with the share of the content that was read. */
export async function planOf(
  stage: Stage,
  given: Content,
  lose: Lose,
  progress: (share: number) => void,
): Promise<Plan> {
  const { feed, found } = given
  const shipment = counted(given.shipment, (entities) => progress(Math.min(0.99, entities / Math.max(1, found.count))))
  const content = { ...given, shipment }
  await stageEntities(stage, found)
  if (OUTGOING_TRANSPORTS[feed.transport_type].isCollection) return planOfCollection(stage, content, lose)
  if (feed.update_strategy !== 'REPLACE') return planOfChanges(stage, content, lose)
  return {
    documents: [await wholeDocument(content, lose)],
    differences: undefined,
    keep: (session) => keepEntities(session, feed.id),
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
    documents: await changedDocuments(stage, content, lose),
    differences: await countDifferences(stage),
    keep: async (session) => {
      await keepItems(session, feed.id)
      await keepEntities(session, feed.id)
    },
  }
}

async function planOfCollection(stage: Stage, content: Content, lose: Lose): Promise<Plan> {
  const { feed, type, at } = content
  if (!type.feed.hasVersions) throw new TaskError('A TAXII collection can only contain STIX 2.1.', { isFinal: true })
  const held = heldObjects(feed.id)
  const isReplaced = feed.update_strategy === 'REPLACE'
  const staged = await stageContent(stage, content, lose)
  await compare(stage, held, staged)
  const raised = await raiseVersions(stage, at, staged)
  if (!isReplaced) await revokeGone(stage, at, raised, held)
  return {
    documents: [],
    differences: await countDifferences(stage),
    keep: async (session) => {
      await keepCollection(session, feed.id, isReplaced)
      await keepEntities(session, feed.id)
    },
  }
}

async function stageContent(stage: Stage, { type, shipment }: Content, lose: Lose): Promise<number> {
  await openStage(stage)
  return stageItems(stage, (await type.feed.items())(shipment, lose))
}
