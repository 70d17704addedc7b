/** What deleting a policy would take apart, as far as the user sees it. */
export interface Dissolution {
  readonly unified: number
  readonly contributors: number
  readonly by_type: readonly { readonly type: string; readonly count: number }[]
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** What deleting a policy would take apart, as a sentence. */
export const dissolutionInWords = ({ unified, contributors }: Omit<Dissolution, 'by_type'>): string =>
  unified === 0
    ? 'The policy has no unified entities, so nothing is taken apart.'
    : `${counted(unified, 'unified entity', 'unified entities')} will be removed, which ${unified === 1 ? 'has' : 'have'} ${counted(contributors, 'contributor', 'contributors')}.`
