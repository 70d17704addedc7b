import { v5, validate } from 'uuid'
import { makeStixId } from '../../domain/stix-ids.ts'
import { DocumentError } from '../document.ts'
import type { Finding, Reader } from '../finding.ts'
import { readXml } from '../xml/read-xml.ts'
import { timeOf } from '../xml/times.ts'
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../xml/xml-element.ts'
import { xmlText } from '../xml/xml-text.ts'
import { itemsIn } from './ioc-items.ts'

/** Both versions use one namespace for ids, because tools convert between them and keep the id. */
const NAMESPACE = 'http://schemas.mandiant.com/2010/ioc'
const ID_NAMESPACE = 'c1a4d1a6-2d6c-4f0f-8e0e-6f8f3f5f4b7a'

const MAX_TAG_LENGTH = 500

const isIoc = ({ name }: { readonly name: string }): boolean => name === 'ioc' || name === 'OpenIOC'

/** Reads OpenIOC 1.0 and 1.1. Each IOC becomes an indicator with its observables, and its XML as a test mechanism. */
export const readOpenIoc: Reader = async function* (document) {
  let count = 0
  for await (const event of readXml(document, (tag, outer) => outer.length === 0 && !isIoc(tag))) {
    if (event.kind !== 'element') continue
    if (isIoc(event.element)) yield findingOf(event.element, ++count, document.name)
    else if (count > 0)
      yield { kind: 'lost', at: `line ${event.element.line}`, losses: [`'${event.element.name}' is not an IOC`] }
    else throw new DocumentError(`line ${event.element.line}: '${event.element.name}' is not an IOC`)
  }
  if (count === 0) throw new DocumentError('the document contains no IOC')
}

function findingOf(ioc: XmlElement, count: number, fileName: string): Finding {
  const about = childOf(ioc, 'metadata') ?? ioc
  const { observables, losses } = itemsIn(ioc)
  const { tags, references } = linksIn(about)
  const keywords = textOf(childOf(about, 'keywords')).split(/[,;]/)
  const allTags = [
    ...new Set(
      [...keywords, ...tags]
        .map((tag) => tag.trim().slice(0, MAX_TAG_LENGTH).toWellFormed())
        .filter((tag) => tag !== ''),
    ),
  ]
  const authored = timeIn(textOf(childOf(about, 'authored_date')))
  const timestamp = timeIn(attributeOf(ioc, 'last-modified')) ?? timeIn(attributeOf(ioc, 'published-date')) ?? authored
  const description = textOf(childOf(about, 'description'))
  const id = idOf(ioc)
  const data = {
    type: 'indicator',
    id,
    title: textOf(childOf(about, 'short_description')) || fileName || attributeOf(ioc, 'id') || 'IOC',
    ...(description !== '' && { description }),
    ...(timestamp !== undefined && { timestamp }),
    ...sourceOf(textOf(childOf(about, 'authored_by')), authored),
    ...(references.length > 0 && { external_references: references }),
    test_mechanisms: [{ type: 'test-mechanism', test_mechanism_type: 'openioc', xml: xmlText(ioc) }],
  }
  return {
    kind: 'entity',
    at: `IOC[${count}], line ${ioc.line}`,
    entity: {
      data,
      ...(allTags.length > 0 && { meta: { tags: allTags } }),
      ...(observables.length > 0 && { observables }),
    },
    ...(losses.length > 0 && { losses }),
  }
}

function idOf(ioc: XmlElement): string {
  const given = attributeOf(ioc, 'id').toLowerCase()
  return makeStixId(
    NAMESPACE,
    'indicator',
    validate(given) ? given : v5(given === '' ? xmlText(ioc) : given, ID_NAMESPACE),
  )
}

function sourceOf(author: string, time: string | undefined): { information_source?: object } {
  if (author === '' && time === undefined) return {}
  return {
    information_source: {
      type: 'information-source',
      ...(author !== '' && { identity: { type: 'identity', name: author } }),
      ...(time !== undefined && { time: { type: 'time', produced_time: time } }),
    },
  }
}

/** A link is either a URL or a word about the IOC, such as its category. */
function linksIn(about: XmlElement): { tags: string[]; references: object[] } {
  const list = childOf(about, 'links')
  const tags: string[] = []
  const references: object[] = []
  for (const link of list ? childrenOf(list, 'link') : []) {
    const [rel, href, text] = [attributeOf(link, 'rel') || 'link', attributeOf(link, 'href'), textOf(link)]
    const url = href || (URL.canParse(text) ? text : '')
    if (url !== '')
      references.push({ source_name: rel, url, ...(text !== '' && text !== url && { description: text }) })
    else if (text !== '') tags.push(`${rel}:${text}`)
  }
  return { tags, references }
}

/** Reads a time. Some programs write the year 1 if there is none. */
const timeIn = (text: string): string | undefined => (text.startsWith('0001-01-01') ? undefined : timeOf(text))
