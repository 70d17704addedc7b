import { createHash } from 'node:crypto'
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from '../server/config.ts'
import { PACKED, WEB_FOLDER } from '../server/http/web.ts'

const STAMP = '.built-of'

const packers: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/** Builds the web interface unless it is up to date. */
export async function buildWeb(): Promise<void> {
  const sources = await hashOfSources()
  if ((await readFile(join(WEB_FOLDER, STAMP), 'utf8').catch(() => '')) === sources) return
  console.log('Building the web interface (once; this takes some seconds)…')
  // Built in another folder and then renamed, so that a running server or a parallel build never sees half of it.
  const folder = `${WEB_FOLDER}-${process.pid}`
  try {
    const { build } = await import('vite')
    await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn', build: { outDir: folder } })
    await pack(folder)
    await writeFile(join(folder, STAMP), sources)
    await rm(WEB_FOLDER, { recursive: true, force: true })
    await rename(folder, WEB_FOLDER)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Hashes what the build depends on: the files of the web interface, the shared files of the server, and the libraries. */
async function hashOfSources(): Promise<string> {
  const files = await Array.fromAsync(glob(['web/**/*.{ts,tsx,css,html,svg}', 'server/domain/**/*.ts'], { cwd: root }))
  const sources = [...files.filter((path) => !path.startsWith('web/dist')), 'package-lock.json', 'scripts/build-web.ts']
  const hash = createHash('sha256')
  for (const path of sources.sort()) hash.update(`${path}\0`).update(await readFile(join(root, path)))
  return hash.digest('hex')
}

/** Compresses files once instead of for every request. */
async function pack(folder: string): Promise<void> {
  const files = await Array.fromAsync(glob('**/*.{js,css,svg}', { cwd: folder }))
  await Promise.all(
    files.map(async (path) => {
      const bytes = await readFile(join(folder, path))
      for (const [name, suffix] of Object.entries(PACKED)) {
        const packed = await packers[name]?.(bytes)
        if (packed && packed.length < bytes.length) await writeFile(join(folder, `${path}${suffix}`), packed)
      }
    }),
  )
}

if (import.meta.main) await buildWeb()
