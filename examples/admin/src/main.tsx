import { createRoot } from "react-dom/client";
import { Library } from "./admin.tsx";

createRoot(document.querySelector("#root") as HTMLElement).render(<Library />);
