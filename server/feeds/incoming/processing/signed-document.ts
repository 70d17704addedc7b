import type { Job } from '../../../background/task.ts'
import { verifySigned } from '../../../domain/openpgp.ts'
import { type Document, DocumentError } from '../../../formats/document.ts'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import { publicKeys } from '../../../settings/public-keys.ts'
import { readSetting } from '../../../settings/setting.ts'
import type { Feed } from './feed.ts'

/**
 * The document to read from content of a feed: the content itself or, for a signed message, what it contains. If the feed requires
 * signatures, content without a valid one is a DocumentError. Temporary files are disposed with `kept`.
 */
export async function signedDocument(
  job: Job<unknown>,
  feed: Pick<Feed, 'require_valid_signature'>,
  document: Document,
  signature: string | null | undefined,
  kept: AsyncDisposableStack,
): Promise<Document> {
  if (!feed.require_valid_signature) return document
  const { keys } = await readSetting(job.db, publicKeys)
  const verified = await verifySigned(document.open(), signature ?? undefined, keys)
  if ('fault' in verified) throw new DocumentError(`The content ${verified.fault}.`)
  job.log(`${document.name.slice(0, 200)} is signed with the key ${verified.keyId}.`)
  if (verified.content === 'as given') return document
  const inside = kept.use(await blobsOf(job).spool(verified.content(), job.largestFile))
  return { name: document.name.replace(/\.(asc|gpg|pgp|sig)$/i, ''), size: inside.size, open: () => inside.open() }
}
