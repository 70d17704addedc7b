import { idOf } from '../../api/lists.ts'

/** Who takes care of a defense or a log source, as texts of a form. */
export type OwnedTexts = { readonly owner: string; readonly note: string; readonly review_at: string }

interface Owned {
  readonly owner: string | null
  readonly note: string
  readonly review_at: string | null
}

/** The texts of a form for what is stored. */
export const textsOf = ({ owner, note, review_at }: Owned): OwnedTexts => ({
  owner: owner === null ? '' : idOf(owner),
  note,
  review_at: review_at?.slice(0, 10) ?? '',
})

/** What to store for the texts of a form. */
export const ownedOf = ({ owner, note, review_at }: OwnedTexts): Owned => ({
  owner: owner || null,
  note: note.trim(),
  review_at: review_at === '' ? null : `${review_at}T00:00:00Z`,
})
