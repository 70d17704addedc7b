import { createRootRoute, createRoute } from '@tanstack/react-router'
import { Entrance } from './entrance.tsx'
import type { lazyPage } from './shell/lazy-page.ts'
import { NotFound } from './shell/not-found.tsx'

export const root = createRootRoute({ component: Entrance, notFoundComponent: NotFound })

type Search = Record<string, unknown>

/** A page at a path; each page validates its own query parameters. */
export const page = <const P extends string>(path: P, component: ReturnType<typeof lazyPage>) =>
  createRoute({ getParentRoute: () => root, path, component, validateSearch: (search: Search): Search => search })
