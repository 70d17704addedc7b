import type { z } from 'zod'
import type { UpdateStrategy } from '../../formats/format.ts'
import type { Collector } from '../collecting/collector.ts'
import type { Carrier } from '../publishing/carrier.ts'

/** One way to receive or send content. */
export interface Transport<T extends string = string, C extends z.ZodObject = z.ZodObject> {
  /** The name that clients use. */
  readonly type: T
  readonly label: string
  /** What it does, in one sentence. */
  readonly doc: string
  /** The titles and descriptions of its fields become the labels and hints of the form, in this order. */
  readonly configuration: C
}

/** A way to receive content. */
export interface IncomingDefinition<T extends string, C extends z.ZodObject> extends Transport<T, C> {
  /** What a transfer can contain: only what is new, everything, or additions and removals. */
  readonly strategies: readonly UpdateStrategy[]
  /** Loads what fetches the content. */
  readonly collect: () => Promise<Collector<z.output<C>>>
  /** Whether the complete content arrives in several pieces, so that only all of them together show what was removed. */
  readonly isPaged?: true
}

/** A way to send content. */
export interface OutgoingDefinition<T extends string, C extends z.ZodObject> extends Transport<T, C> {
  /** Loads what delivers blocks to consumers; without it, consumers fetch them. */
  readonly carry?: () => Promise<Carrier<z.output<C>>>
  /** Whether the content is a collection of changing objects instead of a sequence of blocks. */
  readonly isCollection?: true
}

export const defineIncoming = <const T extends string, C extends z.ZodObject>(
  transport: IncomingDefinition<T, C>,
): IncomingDefinition<T, C> => transport

export const defineOutgoing = <const T extends string, C extends z.ZodObject>(
  transport: OutgoingDefinition<T, C>,
): OutgoingDefinition<T, C> => transport

/** Marks fields that few people need; forms show them on request. */
export const ADVANCED = { 'x-corvus-advanced': true }
