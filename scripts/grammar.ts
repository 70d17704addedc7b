import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import peggy from 'peggy'
import { root } from '../server/config.ts'

const folder = join(root, 'server/search/query')

/** The generated parser of Lucene queries. It is in the repository, so that a server needs no generator. */
export const parserFile = join(folder, 'grammar.js')

const HEADER = `// Made from grammar.peggy by: node scripts/grammar.ts
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
`

/** The parser that the grammar describes, as the text of a module. */
export function generateParser(): string {
  const grammar = readFileSync(join(folder, 'grammar.peggy'), 'utf8')
  return HEADER + peggy.generate(grammar, { format: 'es', output: 'source' })
}

if (import.meta.main) writeFileSync(parserFile, generateParser())
