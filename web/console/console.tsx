import { render } from "preact";
import { SESSION_ENDED } from "./api/request.ts";
import { App } from "./app/app.tsx";
import { startPreferences } from "./app/preferences.ts";
import { startRouting } from "./app/route.ts";
import { resumeSession, session } from "./app/session.ts";

startPreferences();
startRouting();
addEventListener(SESSION_ENDED, () => session.set(null));
const root = document.getElementById("console");
if (root) render(<App />, root);
void resumeSession();
