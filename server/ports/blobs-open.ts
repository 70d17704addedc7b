import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Blobs } from './blobs.ts'
import { openFolder } from './blobs-folder.ts'
import { openS3 } from './blobs-s3.ts'
import { StartError } from './start-error.ts'

/** Opens the blob store of this installation: the data folder, or S3 if configured. */
export function openBlobs({ dataFolder, s3 }: Pick<Config, 'dataFolder' | 's3'>): Blobs {
  const folder = join(dataFolder, 'blobs')
  return s3 ? openS3(s3, folder) : openFolder(folder)
}

/** Refuses to start if files cannot be stored, and removes leftovers of crashes. */
export async function readyBlobs(blobs: Blobs): Promise<void> {
  try {
    await blobs.check()
    await blobs.tidy()
  } catch (error) {
    throw new StartError(`Files cannot be stored in ${blobs.place}: ${(error as Error).message}`)
  }
}
