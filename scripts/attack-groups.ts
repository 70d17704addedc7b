/**
 * Makes the facts about groups, software and campaigns for their knowledge pack, from the official bundles of one version:
 * `npx node scripts/attack-groups.ts 18.1 enterprise.json mobile.json ics.json`. Texts of the publisher are left out.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { readAdversaries } from '../server/exchange/knowledge-packs/attack/adversaries.ts'
import { factsOf } from '../server/exchange/knowledge-packs/attack/adversary-facts.ts'
import { documentOf } from '../server/formats/document.ts'

const FILE = new URL('../server/exchange/knowledge-packs/attack/adversary-facts.json.br', import.meta.url)

const [version = '', ...paths] = process.argv.slice(2)
const documents = paths.map((path) => {
  const bytes = readFileSync(path)
  return documentOf(path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes, path)
})
const facts = factsOf(await readAdversaries(documents), version)
const text = JSON.stringify(facts)
const packed = brotliCompressSync(text, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  },
})
writeFileSync(FILE, packed)
console.log(`${facts.adversaries.length} adversaries, ${facts.links.length} links: ${packed.length} bytes`)
