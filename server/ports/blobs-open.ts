import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Blobs } from './blobs.ts'
import { openFolder } from './blobs-folder.ts'
import { openS3 } from './blobs-s3.ts'
import { StartError } from './start-error.ts'

/** The blobs of this installation: in its data folder, or where the operator says. */
export function openBlobs({ dataFolder, s3 }: Pick<Config, 'dataFolder' | 's3'>): Blobs {
  const folder = join(dataFolder, 'blobs')
  return s3 ? openS3(s3, folder) : openFolder(folder)
}

/** Refuses to start where files could not be kept, and removes what crashes left behind. */
export async function readyBlobs(blobs: Blobs): Promise<void> {
  try {
    await blobs.check()
    await blobs.tidy()
  } catch (error) {
    throw new StartError(`Files cannot be kept in ${blobs.place}: ${(error as Error).message}`)
  }
}
