export { fillPath } from '@svc/contract/fill-path';
export { answerMessage } from './answer-message.ts';
export type { McpServerOptions } from './create-mcp-server.ts';
export { serveOverStdio } from './serve-over-stdio.ts';
export { type ApiCall, type Tool, ToolFailure, type ToolService } from './tool.ts';
export { tools } from './tools/index.ts';
