import { type Tlp, tlpRank } from '../../domain/tlp.ts'
import type { EntityData } from '../entities/entity-data.ts'
import type { AliasMaker } from './alias.ts'
import { type Converted, isConverted } from './convert.ts'
import type { Rule } from './rule.ts'

/** The parts of an entity that rules change. */
export interface State {
  readonly data: EntityData & { readonly id: string }
  readonly tags: readonly string[]
  readonly taxonomies: readonly number[]
  readonly colour: Tlp | null
  readonly alias: string | null
}

/** An entity as several rules together make it. */
export interface Merged {
  readonly state: State
  readonly warnings: ReadonlyMap<number, string>
  /** The rules whose alias and conversion were applied. */
  readonly aliasBy: number | null
  readonly convertedBy: number | null
}

interface Tools {
  aliasOf(rule: Rule): ReturnType<AliasMaker>
  convert(rule: Rule): Converted
}

/**
 * The effects of all rules on the entity as it was written, merged without order: removals come first, then additions; the most restrictive
 * colour wins, and of aliases and conversions those of the oldest rule.
 */
export function merge(own: State, rules: readonly Rule[], tools: Tools): Merged {
  const warnings = new Map<number, string>()
  const oldestFirst = [...rules].sort((a, b) => a.id - b.id)
  const alias = mergeAliases(oldestFirst, tools, warnings)
  const conversion = mergeConversions(own, oldestFirst, tools, warnings)
  return {
    state: {
      data: conversion?.data ?? own.data,
      tags: applied(
        own.tags,
        oldestFirst.map(({ removeTags, addTags }) => [removeTags, addTags]),
      ),
      taxonomies: applied(
        own.taxonomies,
        oldestFirst.map(({ removeTaxonomies, addTaxonomies }) => [removeTaxonomies, addTaxonomies]),
      ).sort((a, b) => a - b),
      colour: strictest(oldestFirst) ?? own.colour,
      alias: alias?.value ?? own.alias,
    },
    warnings,
    aliasBy: alias?.rule ?? null,
    convertedBy: conversion?.rule ?? null,
  }
}

/** The most restrictive colour that rules give, or null. */
export const strictest = (rules: readonly { readonly tlp: Tlp | null }[]): Tlp | null =>
  rules.reduce<Tlp | null>(
    (most, { tlp }) => (tlp !== null && (most === null || tlpRank(tlp) > tlpRank(most)) ? tlp : most),
    null,
  )

/** A list without all removals, and then with all additions in an order of their own. */
function applied<T extends string | number>(
  own: readonly T[],
  changes: readonly (readonly [removed: readonly T[], added: readonly T[]])[],
): T[] {
  const added = new Set(changes.flatMap(([, all]) => all))
  const removed = new Set(changes.flatMap(([all]) => all))
  const kept = own.filter((value) => !removed.has(value) || added.has(value))
  const fresh = [...added].filter((value) => !own.includes(value))
  return [...kept, ...fresh.sort((a, b) => (a < b ? -1 : 1))]
}

function mergeAliases(
  rules: readonly Rule[],
  { aliasOf }: Tools,
  warnings: Map<number, string>,
): { readonly rule: number; readonly value: string } | undefined {
  let winner: { readonly rule: number; readonly name: string; readonly value: string } | undefined
  for (const rule of rules) {
    const value = rule.alias ? aliasOf(rule) : undefined
    if (value === undefined) continue
    winner ??= { rule: rule.id, name: rule.name, value }
    if (winner.value !== value)
      warnings.set(rule.id, `Its alias was not set where the older rule '${winner.name}' sets another one.`)
  }
  return winner
}

function mergeConversions(
  own: State,
  rules: readonly Rule[],
  { convert }: Tools,
  warnings: Map<number, string>,
): { readonly rule: number; readonly data: State['data'] } | undefined {
  let winner: Rule | undefined
  let data: State['data'] | undefined
  for (const rule of rules) {
    if (rule.target === null) continue
    if (winner && winner.target !== rule.target) {
      warnings.set(rule.id, `It did not convert what the older rule '${winner.name}' converts to another type.`)
      continue
    }
    if (winner) continue
    if (isConverted(own.data, rule.target)) {
      winner = rule
      continue
    }
    const converted = convert(rule)
    if ('fault' in converted) {
      warnings.set(rule.id, `An entity could not be converted to ${rule.target}: ${converted.fault}.`)
      continue
    }
    winner = rule
    data = converted.data
  }
  return winner && data ? { rule: winner.id, data } : undefined
}
