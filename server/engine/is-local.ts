import type { FastifyRequest } from 'fastify'

/** Whether the caller is on this machine and not behind a proxy on it. */
export const isLocal = ({ ip, headers }: FastifyRequest): boolean =>
  /^(?:::ffff:)?127\.|^::1$/.test(ip) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined
