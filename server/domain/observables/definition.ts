/** Everything about one type of observables. Each type has one in `types/`. */
export interface ObservableDefinition {
  readonly type: string
  /** Other names that are accepted on input. */
  readonly aliases?: readonly string[]
  /** The type as people read it; without one, its name with spaces. */
  readonly label?: string
  /** What a value has to be; completes "must be …". */
  readonly form: string
  /** The longest value, in UTF-16 code units. It also limits the work that a normaliser can be made to do. */
  readonly maximum: number
  /** The one spelling of a trimmed, not empty text, so that two spellings of a value become one observable; undefined for other texts. */
  readonly normalise: (text: string) => string | undefined
  /** Matches only values that are in their one spelling already: `normalise` is not called for them. */
  readonly plain?: RegExp
  readonly looks?: readonly Look[]
  /** How values are defanged for display and refanged on input; without it, they are not. */
  readonly defanging?: Defanging
  /** The value as people may see it, where that is neither the value itself nor its defanged form. */
  readonly display?: (value: string) => string
  /** Whether values are digests of files. */
  readonly isFileHash?: true
  /** The cyber observable of STIX 2.1 for a value; without one, an object of our own type is written. */
  readonly stix?: (value: string) => StixFields | undefined
  /** The type and category of attributes in MISP; without them, the type is `other` with a tag that names ours. */
  readonly misp?: readonly [type: string, category: string]
  /** Whether attributes in MISP have the tag as well, because their type there stands for several types here. */
  readonly isTaggedInMisp?: true
  /** Documentation names and numbers only. */
  readonly examples: Examples
}

/** What bare values look like once they are refanged. */
export interface Look {
  /** Looks are tried in ascending order, the most specific first. */
  readonly order: number
  readonly test: RegExp
  /** What a value needs as well to look like the type while it is being typed, before anything is normalised. */
  readonly sign?: RegExp
}

/** Parts that are defanged: all dots, dots and colons, the @ and the dots after it, or scheme and host. */
export type Defanging = 'name' | 'address' | 'email' | 'uri'

/** An object of STIX without its id. */
export type StixFields = Readonly<Record<string, unknown>> & { readonly type: string }

/** Good and bad values of a type. Tests try them everywhere. */
export interface Examples {
  /** What comes in, and the one spelling that is kept. */
  readonly good: readonly (readonly [given: string, kept: string])[]
  /** What cannot be of the type. */
  readonly bad: readonly string[]
}

/** Maximum length of values that are whole texts, such as detection rules. */
export const MAX_VALUE_LENGTH = 65_536
