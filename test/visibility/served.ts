import type { FastifyInstance } from 'fastify'

const LINE = /^((?:│ {3}| {4})*)[├└]── (\S*)( \()?/

/** Every path that the application answers GET requests on, with the names of its parameters. */
export function servedPaths(app: FastifyInstance): string[] {
  const parents: string[] = []
  return app
    .printRoutes({ commonPrefix: false, method: 'GET' })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', hasMethods] = LINE.exec(line) ?? []
      const depth = indent.length / 4
      parents.splice(depth, Number.POSITIVE_INFINITY, `${parents[depth - 1] ?? ''}${segment}`)
      return hasMethods ? [parents[depth] ?? ''] : []
    })
}
