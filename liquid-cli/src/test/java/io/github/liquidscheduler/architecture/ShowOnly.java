package io.github.liquidscheduler.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

/** Public types show only some types: in their supertypes, fields, results, parameters, throws. */
final class ShowOnly extends ArchCondition<JavaClass> {
  private final DescribedPredicate<JavaClass> permitted;

  ShowOnly(DescribedPredicate<JavaClass> permitted) {
    super("publicly show only classes that " + permitted.getDescription());
    this.permitted = permitted;
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    if (!isPublic(type)) {
      return;
    }
    report(type.getFullName(), supertypes(type), events);
    type.getMembers().stream()
        .filter(ShowOnly::isShown)
        .forEach(member -> report(member.getFullName(), types(member), events));
  }

  private void report(String where, Stream<JavaType> types, ConditionEvents events) {
    types
        .map(JavaType::getAllInvolvedRawTypes)
        .flatMap(Collection::stream)
        .map(JavaClass::getBaseComponentType)
        .filter(shown -> !permitted.test(shown))
        .map(shown -> where + " shows " + shown.getFullName())
        .forEach(message -> events.add(SimpleConditionEvent.violated(where, message)));
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ShowOnly::isPublic).orElse(true);
  }

  private static boolean isShown(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return !modifiers.contains(JavaModifier.SYNTHETIC)
        && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
  }

  private static Stream<JavaType> supertypes(JavaClass type) {
    return Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
  }

  private static Stream<JavaType> types(JavaMember member) {
    if (member instanceof JavaField field) {
      return Stream.of(field.getType());
    }
    JavaCodeUnit code = (JavaCodeUnit) member;
    return Stream.of(
            Stream.of(code.getReturnType()),
            code.getParameterTypes().stream(),
            code.getExceptionTypes().stream())
        .flatMap(shown -> shown);
  }
}
