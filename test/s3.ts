import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error: the package has no types
import S3rver from '@20minutes/s3rver'
import type { S3Place } from '../server/ports/blobs-s3.ts'

/** The keys that the server knows. */
const KEY = 'S3RVER'

/** An S3 server on this machine with one bucket, and the options to call it. */
export async function startS3(): Promise<{ place: S3Place; folder: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'corvus-s3-'))
  const bucket = 'corvus-files'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port }: AddressInfo = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    place: { endpoint, bucket, region: 'us-east-1', accessKeyId: KEY, secretAccessKey: KEY, prefix: 'some/where/' },
    folder,
    stop: async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
