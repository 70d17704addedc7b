/**
 * Makes the file of facts that every installation begins with, from official bundles: `npx node scripts/attack-facts.ts 18.1=enterprise.json …`.
 * Texts of the publishers are left out; users load them with the bundles.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Framework } from '../server/attack/frameworks/framework.ts'
import { readFramework } from '../server/attack/frameworks/read-framework.ts'
import { type Document, documentOf } from '../server/formats/document.ts'

const FILE = new URL('../server/attack/frameworks/facts.json.br', import.meta.url)

const facts: Framework[] = []
for (const argument of process.argv.slice(2)) {
  const cut = argument.indexOf('=')
  const path = argument.slice(cut + 1)
  const { framework, warnings } = await readFramework(contentOf(path))
  for (const warning of warnings) console.log(warning)
  facts.push(factsOf({ ...framework, version: argument.slice(0, cut) }))
}
const text = JSON.stringify(facts)
const packed = brotliCompressSync(text, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  },
})
writeFileSync(FILE, packed)
console.log(`${facts.map(({ matrix, version }) => `${matrix} ${version}`).join(', ')}: ${packed.length} bytes`)

function contentOf(path: string): Document {
  const bytes = readFileSync(path)
  return documentOf(path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes)
}

/** The same without sentences. */
function factsOf(framework: Framework): Framework {
  return {
    ...framework,
    nodes: framework.nodes.map(withoutTexts),
    defenses: framework.defenses.map((each) => ({
      ...withoutTexts(each),
      mutable_elements: each.mutable_elements.map(({ field }) => ({ field, description: '' })),
    })),
    links: framework.links.map((link) => ({ ...link, description: '' })),
    procedures: [],
  }
}

function withoutTexts<T extends Framework['nodes'][number] | Framework['defenses'][number]>(item: T): T {
  const own = item.external_references.filter(({ external_id }) => external_id === item.external_id)
  return {
    ...item,
    description: '',
    external_references: own.map(({ source_name, external_id, url }) => ({ source_name, external_id, url })),
  }
}
