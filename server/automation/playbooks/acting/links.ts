import { z } from 'zod'
import type { Collection } from '../../../collections.ts'
import { link } from '../../../engine/link.ts'

const MAX_LINKS = 20

/** A parameter with a few objects of a collection. */
export const links = (to: Collection) => z.array(link(to)).max(MAX_LINKS).default([])
