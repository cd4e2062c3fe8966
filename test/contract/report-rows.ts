import { expect } from "vitest";
import { knownRows, reportPdf } from "../local/service/lab-reports/report-helpers.ts";
import type { MethodRows } from "./method-rows.ts";

/** Lab reports. */
export const reportRows: MethodRows = {
  labReport: {
    parserCreateJob: {
      request: async (world) => ({
        userId: await world.newUser(),
        file: [{ data: await reportPdf(knownRows), filename: "report.pdf", contentType: "application/pdf" }],
        needsHumanReview: true,
      }),
      shows: (answer) =>
        expect(answer).toMatchObject({ status: "upload_pending", needsHumanReview: true, isReviewed: false }),
    },
    parserGetJob: {
      request: async (world) => {
        const file = [await reportPdf(knownRows)];
        const { id } = await world.client.labReport.parserCreateJob({ userId: await world.newUser(), file });
        await world.service.settle();
        return { jobId: id };
      },
      shows: (answer) =>
        expect(answer).toMatchObject({
          status: "completed",
          data: {
            metadata: { patientLastName: "Sample", labName: expect.any(String) },
            results: expect.arrayContaining([
              expect.objectContaining({ testName: "Glucose", value: "112", units: "mg/dL", maxReferenceRange: 99 }),
            ]),
          },
        }),
    },
  },
};
