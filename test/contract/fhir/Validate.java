import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.validation.FhirValidator;
import ca.uhn.fhir.validation.ResultSeverityEnum;
import ca.uhn.fhir.validation.SingleValidationMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;

/** Validates resources against FHIR R4 and its vital signs profiles, without a network. One resource per line and file. */
public class Validate {
  public static void main(String[] arguments) throws Exception {
    FhirContext context = FhirContext.forR4();
    ValidationSupportChain support =
        new ValidationSupportChain(
            new DefaultProfileValidationSupport(context),
            new CommonCodeSystemsTerminologyService(context),
            new InMemoryTerminologyServerValidationSupport(context));
    FhirValidator validator = context.newValidator();
    validator.registerValidatorModule(new FhirInstanceValidator(support));
    Map<String, Integer> counts = new TreeMap<>();
    int errors = 0;
    int warnings = 0;
    for (String argument : arguments) {
      Path file = Path.of(argument);
      List<String> resources = Files.readAllLines(file);
      for (String resource : resources) {
        for (SingleValidationMessage message : validator.validateWithResult(resource).getMessages()) {
          boolean isError = message.getSeverity().ordinal() >= ResultSeverityEnum.ERROR.ordinal();
          if (isError) errors++;
          else if (message.getSeverity() == ResultSeverityEnum.WARNING) warnings++;
          if (isError || System.getenv("SHOW_WARNINGS") != null) {
            System.out.println(message.getSeverity() + " " + message.getLocationString() + " " + message.getMessage());
            if (isError) System.out.println(resource);
          }
        }
      }
      counts.put(file.getFileName().toString().replace(".ndjson", ""), resources.size());
    }
    System.out.println(counts + ": " + errors + " errors, " + warnings + " warnings");
    System.exit(errors == 0 && !counts.isEmpty() ? 0 : 1);
  }
}
