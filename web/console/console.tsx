import { render } from "preact";
import { onSessionEnd } from "./api/request.ts";
import { App } from "./app/app.tsx";
import { startPreferences } from "./app/preferences.ts";
import { startRenewals } from "./app/renewals.ts";
import { startSession } from "./app/resume-session.ts";
import { startRouting } from "./app/route.ts";
import { forgetSession } from "./app/session.ts";

startPreferences();
startRouting();
onSessionEnd(forgetSession);
startRenewals();
const root = document.getElementById("console");
if (root) render(<App />, root);
void startSession();
