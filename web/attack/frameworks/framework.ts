import { listQuery } from '../../api/lists.ts'
import { matrixName } from '../matrices.ts'
import type { ChangeReport } from './change-report.ts'

/** The path of frameworks. */
export const FRAMEWORKS = 'attacks/frameworks'

/** The path of loads: what was compared, loaded and undone. */
export const LOADS = `${FRAMEWORKS}/loads`

/** The path of nodes with several successors, of which a user chooses. */
export const REVIEWS = `${FRAMEWORKS}/reviews`

/** A framework as it is stored here. */
export interface Framework {
  readonly matrix: string
  readonly version: string
  /** What the publisher asks to be shown with its texts. */
  readonly notice: string
  readonly has_texts: boolean
  readonly loaded_at: string
  readonly loaded_by: string | null
  /** The address of the official bundle. */
  readonly url: string | null
  /** Of what is live; a technique counts once for all its places. */
  readonly counts: Readonly<Record<string, number>>
  /** The newest load in force; null for the facts that came with the product. */
  readonly load: number | null
  readonly open_reviews: number
}

/** What a load changed. */
export type Remapped = Readonly<Record<'entities' | 'annotations' | 'layers' | 'links', number>>

/** One load of a version, or a preview of one. */
export interface FrameworkLoad {
  readonly id: number
  readonly matrix: string
  readonly state: 'preview' | 'loaded' | 'undone'
  readonly version: string
  readonly previous_version: string
  readonly is_downgrade: boolean
  /** The name of the file, or the address. */
  readonly origin: string
  /** In bytes. */
  readonly size: number
  /** Null while it is a preview. */
  readonly remapped: Remapped | null
  readonly open_reviews: number
  /** Whether it is the newest of its matrix in force. */
  readonly can_undo: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly loaded_at: string | null
  readonly loaded_by: string | null
  readonly undone_at: string | null
  readonly undone_by: string | null
}

/** One load with its report, which lists leave out. */
export interface ReportedLoad extends FrameworkLoad {
  readonly report: ChangeReport
}

/** The full name of the framework of a matrix. */
export const frameworkName = (matrix: string): string =>
  matrix === 'DISARM' ? 'DISARM' : `ATT&CK ${matrixName(matrix)}`

/** All frameworks. */
export const frameworksQuery = listQuery<Framework>(FRAMEWORKS)
