import { madeId } from '../../../formats/made-id.ts'
import { withExtension } from '../../../formats/stix2/extension.ts'
import type { Adversaries } from './adversaries.ts'
import { aliasesOf } from './adversary-facts.ts'

/** Writes adversaries as a bundle for the importer, in pieces. The techniques that they use are what they are classified with. */
export function* adversaryBundle({ adversaries, links, definitions, version }: Adversaries): Generator<Buffer> {
  yield Buffer.from(`{"type":"bundle","id":"${madeId('bundle', 'adversaries of ATT&CK', version)}","objects":[`)
  let isFirst = true
  const piece = (object: unknown): Buffer => {
    const text = `${isFirst ? '' : ',\n'}${JSON.stringify(object)}`
    isFirst = false
    return Buffer.from(text)
  }
  for (const definition of definitions) yield piece(definition)
  for (const { object, techniques } of adversaries) {
    const aliases = aliasesOf(object)
    const named = { ...object, ...(aliases.length > 0 && { aliases }) }
    yield piece(techniques.length > 0 ? withExtension(named, { meta: { attacks: [...techniques] } }) : named)
  }
  for (const link of links) yield piece(link)
  yield Buffer.from(']}')
}
