import { toOtlpRequest } from "../../lib/domain/operations/otlp-spans.ts";
import { spanLines } from "../unit/operations/span-lines.ts";

process.stdout.write(JSON.stringify(toOtlpRequest("tributary", spanLines)));
