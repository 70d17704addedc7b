import { dayField, existsLexeme, keywordField, numberField } from './lexemes.ts'
import { type Prefix, prefixOf } from './terms.ts'

/** The beginnings of all lexemes of a path. */
export interface PathSpelling {
  readonly exists: Prefix
  readonly keyword: Prefix
  readonly number: Prefix
  readonly day: Prefix
}

/** A path in data, and those below it: entities of a type have the same ones, so nearly all have been met before. */
export class Path {
  readonly name: string
  /** Which of the documents that were made had a value here last. */
  met = 0
  #spelling: PathSpelling | undefined
  #below: Map<string, Path> | undefined

  constructor(name: string) {
    this.name = name
  }

  get spelling(): PathSpelling {
    this.#spelling ??= {
      exists: prefixOf(existsLexeme(this.name)),
      keyword: prefixOf(keywordField(this.name)),
      number: prefixOf(numberField(this.name)),
      day: prefixOf(dayField(this.name)),
    }
    return this.#spelling
  }

  /** The path of a property. */
  below(key: string): Path {
    this.#below ??= new Map()
    const known = this.#below.get(key)
    if (known) return known
    const made = new Path(this === root ? key : `${this.name}.${key}`)
    if (paths < MOST_PATHS) this.#below.set(key, made)
    paths++
    return made
  }

  /** Forgets all paths below this one. */
  clear(): void {
    this.#below = undefined
    paths = 0
  }
}

const PATHS = 2_000
/** No document has as many that counts on being searched by all of them. */
const MOST_PATHS = 50_000
let paths = 0
const root = new Path('')

/** The path of all data. Paths are only forgotten here, so that those of one document stay the same. */
export function rootPath(): Path {
  if (paths > PATHS) root.clear()
  return root
}
