import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { TLP } from '../../domain/tlp.ts'

/**
 * The visibility key (`vis`) of an object: the number of its source and the rank of its TLP colour in one integer, so that
 * one indexed comparison decides who sees it. Only this file knows how the two are packed. Every function takes numbers,
 * or SQL expressions for use in a statement.
 */
type Sql = RawBuilder<unknown>

/** The low bits of a key that hold the rank of the colour. */
const RANK_BITS = 3
const HIGHEST_RANK = (1 << RANK_BITS) - 1

const bits = sql.lit(RANK_BITS)
const mask = sql.lit(HIGHEST_RANK)

/** The key of an object of a source at a TLP colour. */
export function keyOf(source: number, rank: number): number
export function keyOf(source: Sql, rank: Sql): RawBuilder<number>
export function keyOf(source: number | Sql, rank: number | Sql): number | RawBuilder<number> {
  return typeof source === 'number' && typeof rank === 'number'
    ? (source << RANK_BITS) | rank
    : sql`((${source} << ${bits}) + ${rank})`
}

/** The number of the source that a key belongs to. */
export function sourceOf(vis: number): number
export function sourceOf(vis: Sql): RawBuilder<number>
export function sourceOf(vis: number | Sql): number | RawBuilder<number> {
  return typeof vis === 'number' ? vis >> RANK_BITS : sql`(${vis} >> ${bits})`
}

/** The rank of the TLP colour of a key, from the least to the most restricted. */
export function rankOf(vis: number): number
export function rankOf(vis: Sql): RawBuilder<number>
export function rankOf(vis: number | Sql): number | RawBuilder<number> {
  return typeof vis === 'number' ? vis & HIGHEST_RANK : sql`(${vis} & ${mask})`
}

/** The keys of a source: one for each TLP colour. In SQL an array, which an index on `vis` can use. */
export function keysOf(source: number): number[]
export function keysOf(source: Sql): RawBuilder<number[]>
export function keysOf(source: number | Sql): number[] | RawBuilder<number[]> {
  if (typeof source === 'number') return TLP.map((_, rank) => keyOf(source, rank))
  const ranks = sql`generate_series(0, ${sql.lit(TLP.length - 1)})`
  return sql`array(select ${keyOf(source, sql`r.rank`)} from ${ranks} as r(rank))`
}

/** Whether a key belongs to a source, as a range: unlike a comparison of `sourceOf`, an index on `vis` can use it. */
export const isOfSource = (vis: Sql, source: Sql): RawBuilder<SqlBool> =>
  sql`${vis} between ${keyOf(source, sql.lit(0))} and ${keyOf(source, mask)}`
